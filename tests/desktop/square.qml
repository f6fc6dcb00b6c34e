// SPDX-License-Identifier: MIT
// A window of Qt Quick, whose scene graph draws with OpenGL: a square that turns, or stands
// still with an argument.
import QtQuick
import QtQuick.Window

Window {
    visible: true
    width: 240
    height: 180
    color: "navy"

    Rectangle {
        anchors.centerIn: parent
        width: 100
        height: 100
        radius: 12
        rotation: 30
        color: "orange"

        RotationAnimation on rotation {
            running: Qt.application.arguments.indexOf("still") < 0
            from: 0
            to: 360
            duration: 4000
            loops: Animation.Infinite
        }
    }
}
