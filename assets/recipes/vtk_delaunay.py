"""Triangulates the points of a file with VTK's vtkDelaunay2D and writes the triangles.

    python3 vtk_delaunay.py POINTS TRIANGLES

POINTS: a point a line, `x y`. TRIANGLES: three indices a line, from 0. Needs VTK's Python module. What VTK tells as an
error ends with status 1; points that it leaves out it tells as a warning, and they are only missing in the triangles.
"""

import sys


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: vtk_delaunay.py POINTS TRIANGLES")
    try:
        from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkPoints, vtkStringOutputWindow
        from vtkmodules.vtkCommonDataModel import vtkPolyData
        from vtkmodules.vtkFiltersCore import vtkDelaunay2D
    except ImportError as error:
        sys.exit(f"VTK cannot be used: {error}")
    said = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(said)
    points = vtkPoints()
    points.SetDataTypeToDouble()
    try:
        with open(sys.argv[1], encoding="ascii") as file:
            for line in file:
                if line.strip():
                    x, y = map(float, line.split())
                    points.InsertNextPoint(x, y, 0)
    except (OSError, ValueError) as error:
        sys.exit(f"VTK: {error}")
    cloud = vtkPolyData()
    cloud.SetPoints(points)
    filter_ = vtkDelaunay2D()
    filter_.SetInputData(cloud)
    filter_.Update()
    errors = [line for line in said.GetOutput().split("\n") if "ERR|" in line or line.startswith("ERROR")]
    if errors:
        sys.exit("VTK: " + errors[0].split("): ")[-1])
    cells = filter_.GetOutput().GetPolys()
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for i in range(cells.GetNumberOfCells()):
            ids = [cells.GetConnectivityArray().GetValue(3 * i + k) for k in range(3)]
            print(*(int(corner) for corner in ids), file=out)


main()
